import type { Llm } from './llm.ts';

/** The ways to models, by whom their addresses come from. */
export interface Llms {
  /** For the address in the settings of the installation, which may be anywhere. */
  installation: Llm;
  /** For addresses that users enter, under the rules of outgoing requests. */
  entered: Llm;
  /** Why an address may not be entered; null if it is not refused now. */
  refusalOf(url: URL): Promise<string | null>;
  /** As for a service of many tenants. */
  secureOnly: boolean;
  /** Tells whoever runs the models for this installation that graphics memory is short. Nobody may be there to hear it. */
  reportPressure(level: 'normal' | 'high' | 'critical', seconds: number): Promise<void>;
  close(): void;
}
