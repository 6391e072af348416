import { VirtualTimeScheduler } from 'rxjs';

/** Virtual time that is moved on by hand. */
export class VirtualClock extends VirtualTimeScheduler {
  /** Lets `ms` pass, and all that is due meanwhile happen. */
  pass(ms: number): void {
    const end = this.frame + ms;
    this.schedule(() => undefined, ms);
    this.maxFrames = end;
    this.flush();
  }
}
