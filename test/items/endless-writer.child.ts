/**
 * Writes items to a file, behind what is in it, until it is killed: `FILE csv|jsonl FIRST`. The
 * items are numbered from `FIRST` on.
 */
import { Subject } from 'rxjs';
import { toCsv, toJsonLines } from '../../src/items/index.js';
import { hostileItem, type HostileItem } from './hostile-item.js';

const [path = '', format, first] = process.argv.slice(2);
const items$ = new Subject<HostileItem>();
let sent = Number(first);
let stored = sent;

/** Mostly a few at once, now and then so many that the system may cut the write itself. */
function send(): void {
  for (let left = sent % 11 === 0 ? 400 : 1 + (sent % 5); left > 0; left--) {
    items$.next(hostileItem(sent++));
  }
}

items$
  .pipe(format === 'csv' ? toCsv(path, { mode: 'append' }) : toJsonLines(path, { mode: 'append' }))
  .subscribe(() => {
    stored += 1;
    if (stored === sent) setImmediate(send);
  });
send();
