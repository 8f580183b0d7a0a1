declare module 'virtual:canonry/calls' {
  import type { Call } from '../client/call.ts';

  export const calls: Readonly<Record<string, Call>>;
}

declare module 'virtual:canonry/plugin-calls' {
  import type { Call } from '../client/call.ts';

  export const calls: Readonly<Record<string, Call>>;
}

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

declare module '*.css';

/** TypeScript does not know trusted types yet; a trusted address is taken wherever a text is. */
interface Window {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(text: string): string },
    ): { createScriptURL(text: string): string };
  };
}
