// node build.js OUTPUT: the page of reports as one HTML file that needs nothing else.
import {writeFileSync} from 'node:fs';
import {reportPage} from './bundle.js';

writeFileSync(process.argv[2], await reportPage());
