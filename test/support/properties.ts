import fc from 'fast-check';

const given = process.env.FC_SEED ?? '1';

/** Fixed, so that only a change can break a run; `FC_SEED=random` looks for new cases. */
export const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given);

fc.configureGlobal({ seed });

export default fc;
