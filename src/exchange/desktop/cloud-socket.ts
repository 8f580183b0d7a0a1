/** An open WebSocket to a cloud. */
export interface CloudSocket {
  send(text: string): void;
  close(): void;
}

export interface CloudSocketOptions {
  /** The cloud's address. */
  url: string;
  token: string;
  projectId: string;
  /** Where to go on; null: from now on. */
  cursor: string | null;
  onMessage(text: string): void;
  /** Once, also for a connection that could not be made; `reason` is for people. */
  onClose(reason: string): void;
}

export type OpenCloudSocket = (options: CloudSocketOptions) => CloudSocket;
