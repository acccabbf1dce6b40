// The page's side of the worker.
export class Lab {
  constructor(script, code, content) {
    this.start = {code, content};
    this.address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    this.handlers = {};
    this.begin();
  }

  begin() {
    this.waiting = new Map();
    this.next = 0;
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = event => this.handlers.lost?.(event.message);
    this.ready = this.ask('start', this.start);
  }

  // A run that takes too long is ended with its worker.
  restart() {
    this.worker.terminate();
    for (const {reject} of this.waiting.values()) reject(new Error('stopped'));
    this.begin();
    return this.ready;
  }

  hear({id, result, error, event, data}) {
    if (event) return this.handlers[event]?.(data);
    const {resolve, reject} = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  }

  ask(word, given = {}) {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject});
      this.worker.postMessage({...given, id, order: word});
    });
  }

  // As a live page sends it: null, or why not.
  send = (word, body = '') => this.ask('command', {word, body}).catch(error => error.message);
}
