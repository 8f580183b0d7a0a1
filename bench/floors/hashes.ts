import bcrypt from 'bcrypt';

/** Checks a password at a given cost, one check after another, for some seconds; prints the checks per second. */
const cost = Number(process.argv[2]);
const milliseconds = Number(process.argv[3]) * 1000;
const hash = await bcrypt.hash('a passphrase for the bench', cost);
const started = performance.now();
let count = 0;
for (; performance.now() - started < milliseconds; count += 1)
  await bcrypt.compare('a passphrase for the bench', hash);
console.log((count * 1000) / (performance.now() - started));
