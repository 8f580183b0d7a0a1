/** The used parts of packages without types. */

declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}

declare module 'azurite/dist/src/blob/BlobConfiguration.js' {
  class BlobConfiguration {
    constructor(...settings: unknown[]);
  }
  const exported: { default: typeof BlobConfiguration };
  export default exported;
}

declare module 'azurite/dist/src/blob/BlobServer.js' {
  class BlobServer {
    constructor(configuration: unknown);
    start(): Promise<void>;
    close(): Promise<void>;
    getHttpServerAddress(): string;
  }
  const exported: { default: typeof BlobServer };
  export default exported;
}
