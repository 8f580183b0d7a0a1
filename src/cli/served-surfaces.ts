export const SERVED = ['core', 'accounts', 'edge', 'worker', 'ai', 'desktop'] as const;
export type ServedSurface = (typeof SERVED)[number];

export const isServed = (name: string): name is ServedSurface => (SERVED as readonly string[]).includes(name);
