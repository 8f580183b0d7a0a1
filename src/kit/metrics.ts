export interface RequestSample {
  method: string;
  /** With the parameters' names, so that there are few different ones; null if no route matches. */
  route: string | null;
  status: number;
  seconds: number;
}

/** In Prometheus' text format. */
export interface Metrics {
  observe(sample: RequestSample): void;
  render(): Promise<{ text: string; contentType: string }>;
}

/** seconds */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** For services without a metrics collector. */
export const noMetrics: Metrics = {
  observe: () => {},
  render: async () => ({ text: '', contentType: 'text/plain' }),
};

/** The library is loaded only here, since few services use it. */
export async function createMetrics(): Promise<Metrics> {
  const { default: client } = await import('prom-client');
  const { collectDefaultMetrics, Histogram, Registry } = client;
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took until the reply was sent',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [register],
  });
  return {
    observe: ({ method, route, status, seconds }) =>
      requests.observe({ method, route: route ?? 'none', status }, seconds),
    render: async () => ({ text: await register.metrics(), contentType: register.contentType }),
  };
}
