// The time of a run that goes on: it follows the newest row until somebody looks back.
import {Clock} from './clock.js';

export class LiveClock extends Clock {
  // command(word): pause or resume, for the program that runs.
  constructor(command) {
    super(0, 0);
    this.command = command;
    this.following = true;
    this.phase = 'running';
  }

  // playing: the mouse does not lead.
  state(phase) {
    this.phase = phase;
    this.playing = phase === 'running' && this.following;
  }

  advance(start, stop) {
    this.start = start;
    this.stop = stop;
    if (this.following || this.t > stop) this.t = stop;
    this.tell();
  }

  follow(on = true) {
    this.following = on;
    this.state(this.phase);
    if (on) this.t = this.stop;
    this.tell();
  }

  set(t) {
    this.following = t >= this.stop;
    this.state(this.phase);
    super.set(t);
  }

  play() { this.command(this.phase === 'running' ? 'pause' : this.phase === 'paused' ? 'resume' : 'restart'); }
  step(share) { this.set(this.t + share * (this.stop - this.start)); }
}
