/** True if a host of the grants (`api.example.com`, `*.example.com:8443`) is that of an address. */
export function isGrantedHost(granted: readonly string[], { hostname, port, protocol }: URL): boolean {
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return granted.some((grant) => {
    const [, host = '', grantedPort = '443'] = /^(.*?)(?::(\d+))?$/.exec(grant) ?? [];
    if (grantedPort !== ownPort) return false;
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
  });
}
