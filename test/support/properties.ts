import fc from 'fast-check';

const given = process.env.FC_SEED;

// The same cases in each run, so that what fails was broken by a change; `FC_SEED=random` looks for new ones.
if (given !== 'random') fc.configureGlobal({ seed: Number(given ?? 1) });

export default fc;
