/** Injected into a page of a plugin as `window.PLUGIN_CONTEXT`. */
export interface PageContext {
  pluginId: string;
  panelId: string;
  entityType: string | null;
  entityId: string | null;
  theme: 'light' | 'dark' | null;
}

export interface PagePolicy {
  /** Prefix of the addresses that the page may load from, with a slash at the end. */
  files: string;
  /** Origins that may show the page in a frame. */
  hosts: readonly string[];
  /** Hosts that an admin granted to the plugin. */
  requests: readonly string[];
  /** The page has no origin that is its own, so it gets none. */
  isSandboxed: boolean;
}

/** Scripts in the page itself are allowed: nothing else has the page's origin. */
export function panelPolicy({ files, hosts, requests, isSandboxed }: PagePolicy): string {
  return [
    "default-src 'none'",
    `script-src ${files} 'unsafe-inline' 'wasm-unsafe-eval'`,
    `style-src ${files} 'unsafe-inline'`,
    `img-src ${files} data: blob:`,
    `media-src ${files} data: blob:`,
    `font-src ${files} data:`,
    `worker-src ${files} blob:`,
    `connect-src ${[files, ...requests.map((host) => `https://${host}`)].join(' ')}`,
    "frame-src 'none'",
    "base-uri 'self'",
    `form-action ${files}`,
    `frame-ancestors ${hosts.length > 0 ? hosts.join(' ') : "'none'"}`,
    ...(isSandboxed ? ['sandbox allow-scripts allow-forms'] : []),
  ].join('; ');
}

/** As text for an inline script, whatever the values hold. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Says hello to the page that shows the panel, and applies the theme's variables that it answers with. Messages count only
 * from the window above, and from an origin that may show the page.
 */
const BOOTSTRAP = `(function () {
  var hosts = window.PLUGIN_CONTEXT.hosts, root = document.documentElement;
  if (window.PLUGIN_CONTEXT.theme) root.style.colorScheme = window.PLUGIN_CONTEXT.theme;
  window.addEventListener('message', function (event) {
    var data = event.data;
    if (event.source !== window.parent || hosts.indexOf(event.origin) < 0 || !data) return;
    if (data.type === 'theme-change' || data.type === 'entity-context')
      if (data.theme === 'light' || data.theme === 'dark') root.style.colorScheme = data.theme;
    if (data.type !== 'host-theme-response' || typeof data.variables !== 'object') return;
    for (var name in data.variables)
      if (/^--[a-z0-9-]+$/.test(name)) root.style.setProperty(name, String(data.variables[name]));
  });
  if (window.parent !== window)
    hosts.forEach(function (host) { window.parent.postMessage({ type: 'panel-ready' }, host); });
})();`;

/** Puts context and bootstrap before everything that the page runs. Addresses in the page are relative to `base`. */
export function pageWithContext(
  html: string,
  { hosts, base, ...context }: PageContext & { hosts: readonly string[]; base: string },
): string {
  const injected = [
    `<base href="${base}">`,
    `<script>window.PLUGIN_CONTEXT=${scriptJson({ ...context, hosts })};${BOOTSTRAP}</script>`,
  ].join('');
  const head =
    /<head(?:\s[^>]*)?>/i.exec(html) ?? /<html(?:\s[^>]*)?>/i.exec(html) ?? /^\s*<!doctype[^>]*>/i.exec(html);
  const at = head === null ? 0 : head.index + head[0].length;
  return html.slice(0, at) + injected + html.slice(at);
}
