export const KINDS = ['panel', 'widget', 'page', 'guest', 'full'] as const;
export type Kind = (typeof KINDS)[number];
