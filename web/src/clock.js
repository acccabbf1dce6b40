// The time that plots and replay show together.
export class Clock {
  constructor(start, stop) {
    this.start = start;
    this.stop = stop;
    this.t = start;
    this.playing = false;
    const length = stop - start;
    this.speed = length > 60 ? 10 : length < 0.05 ? 0.01 : length < 1 ? 0.1 : 1;
    this.listeners = [];
  }

  listen(listener) { this.listeners.push(listener); }
  tell() { for (const listener of this.listeners) listener(this); }

  set(t) {
    this.t = Math.min(this.stop, Math.max(this.start, t));
    this.tell();
  }

  play(on = !this.playing) {
    if (on === this.playing) return;
    if (on && this.t >= this.stop) this.t = this.start;
    this.playing = on;
    this.before = null;
    if (on) requestAnimationFrame(now => this.run(now));
    this.tell();
  }

  run(now) {
    if (!this.playing) return;
    const elapsed = this.before === null ? 0 : Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    const next = this.t + elapsed * this.speed;
    if (next >= this.stop) this.playing = false;
    this.set(next);
    if (this.playing) requestAnimationFrame(then => this.run(then));
  }

  step(share) {
    this.play(false);
    this.set(this.t + share * (this.stop - this.start));
  }
}
