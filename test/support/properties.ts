import fc from 'fast-check';

const given = process.env.FC_SEED ?? '1';

/** The same in each run, so that what fails was broken by a change; `FC_SEED=random` looks for new cases. */
export const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given);

fc.configureGlobal({ seed });

export default fc;
