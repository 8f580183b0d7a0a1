const encoder = new TextEncoder();

/** About as many as most models count: one for each four bytes of UTF-8, rounded up. */
export const estimateTokens = (text: string): number => Math.ceil(encoder.encode(text).length / 4);
