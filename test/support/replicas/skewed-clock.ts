import { readFileSync } from 'node:fs';

/**
 * To be loaded before a service: its clock is ahead by as many milliseconds as the file says that SKEW_FILE names, which
 * is read again at SIGUSR2, so that the clock jumps.
 */
const file = process.env.SKEW_FILE ?? '';
const trueNow = Date.now.bind(Date);
let skew = 0;

function read(): void {
  skew = Number(readFileSync(file, 'utf8'));
}

const TrueDate = Date;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, as) =>
    Reflect.construct(target, args.length === 0 ? [trueNow() + skew] : args, as),
});
Date.now = () => trueNow() + skew;
read();
process.on('SIGUSR2', read);
