import { readFileSync } from 'node:fs';

/** Preloaded into a service: shifts its clock by the milliseconds in the file SKEW_FILE, which is read again at SIGUSR2. */
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
