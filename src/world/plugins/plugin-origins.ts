import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../kit/crypto.ts';
import { createPluginHosts } from '../../kit/http/plugin-hosts.ts';
import { leadsToLoopback } from '../../kit/loopback.ts';

/** A plugin of one project. */
export interface PluginPlace {
  /** Of the project; no other tenant's project has it. */
  number: number;
  pluginId: string;
}

export interface PluginOrigins {
  /** With `*` for the name of a plugin; null where plugins have no origins of their own. */
  patternFor(serviceOrigin: string): string | null;
  /** The origin that one plugin of one project has alone; null as for `patternFor`. */
  originOf(serviceOrigin: string, place: PluginPlace): string | null;
  /** Names the place in addresses. Sealed: nobody can make up the label of another place. */
  labelOf(place: PluginPlace): string;
  /** The project's number, if the label was made for the plugin. */
  numberOf(label: string, pluginId: string): number | null;
  /** The label in the origin of a request; null if it is not a plugin's. */
  labelIn(requestOrigin: string): string | null;
  /** False for the web app's origin if `PLUGIN_ORIGIN` is set. */
  servesPages(requestOrigin: string): boolean;
  /** True for an origin that serves nothing else. */
  isForPagesAlone(requestOrigin: string): boolean;
  /** The origins of the web app's frames, as a source of a content security policy. */
  framesFor(serviceOrigin: string): string;
  /** The one origin of all plugins, where it cannot have their names; else null. */
  readonly shared: string | null;
}

const LABEL = /^p(\d{1,15})-([0-9a-f]{20})$/;

const hostOf = (origin: string): string => origin.split('//')[1] ?? '';

/**
 * `setting` is `PLUGIN_ORIGIN`. Without it, browsers on the service's own machine get names below `localhost`, which lead
 * them to the same port, whatever address or port the service listens on. The secret is asked for when a place is named:
 * commands run without one.
 */
export function createPluginOrigins(setting: string | null, secret: () => string): PluginOrigins {
  const configured = setting?.includes('*') ? setting : null;
  const shared = configured === null ? setting : null;

  const patternFor = (serviceOrigin: string): string | null => {
    if (setting !== null) return configured;
    const url = URL.parse(serviceOrigin);
    if (url?.protocol !== 'http:' || !leadsToLoopback(url)) return null;
    return `http://*.localhost${url.port === '' ? '' : `:${url.port}`}`;
  };

  const hosts = createPluginHosts(setting);
  const labelIn = (origin: string): string | null => hosts.labelIn(hostOf(origin));
  const isForPagesAlone = (origin: string): boolean => hosts.isForPagesAlone(hostOf(origin));

  const sealOf = ({ number, pluginId }: PluginPlace): string =>
    createHmac('sha256', secret()).update(`${number} ${pluginId}`).digest('hex').slice(0, 20);
  const labelOf = (place: PluginPlace): string => `p${place.number}-${sealOf(place)}`;

  return {
    shared,
    isForPagesAlone,
    servesPages: (origin) => setting === null || isForPagesAlone(origin),
    patternFor,
    framesFor: (serviceOrigin) => patternFor(serviceOrigin) ?? shared ?? "'self'",
    originOf: (serviceOrigin, place) => patternFor(serviceOrigin)?.replace('*', labelOf(place)) ?? null,
    labelOf,
    numberOf(label, pluginId) {
      const [, digits, seal] = LABEL.exec(label) ?? [];
      if (digits === undefined || seal === undefined) return null;
      const number = Number(digits);
      return equalSecrets(seal, sealOf({ number, pluginId })) ? number : null;
    },
    labelIn,
  };
}
