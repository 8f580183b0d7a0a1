export interface EmbedOptions {
  /** Before all texts that are not urgent: somebody waits for it. */
  urgent?: boolean;
  /** Texts that are still waiting when it aborts are not computed. */
  signal?: AbortSignal;
}

/** Turns texts into vectors on this machine; texts of similar meaning get vectors at a small angle. Nothing is sent anywhere. */
export interface Embedder {
  /** With its version: vectors of different models cannot be compared. */
  readonly model: string;
  readonly dimensions: number;
  /** Vectors of length 1, in the order of the texts. Of a long text the model sees the beginning. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Frees what it holds. Texts that wait are rejected. */
  close(): Promise<void>;
}
