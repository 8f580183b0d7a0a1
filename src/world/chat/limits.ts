/** Of one answer by a model. */
export const LIMITS = {
  /** Requests to the model; the last one is told to answer. */
  rounds: 6,
  callsARound: 4,
  proposals: 5,
  /** Of all requests and answers together. */
  tokens: 40_000,
  answerTokens: 1_500,
  /** No round begins later; the models' own limits bound a round. */
  patienceMs: 120_000,
  /** Characters of a tool's result, and of a line in it. */
  result: 8_000,
  line: 2_000,
  /** The part of a model's window that the first request may fill. */
  firstShare: 0.5,
} as const;
