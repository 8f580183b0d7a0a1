/** The way by which a change came (decisions: every change is kept as a revision). */
export type ChangeSource = 'api' | 'file' | 'sync' | 'import' | 'ai';
