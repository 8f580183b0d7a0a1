export interface CloudSocket {
  send(text: string): void;
  close(): void;
}

export interface CloudSocketOptions {
  url: string;
  token: string;
  projectId: string;
  /** Where to continue; null: from now on. */
  cursor: string | null;
  onMessage(text: string): void;
  /** Called once, also if no connection could be made; `reason` is shown to users. */
  onClose(reason: string): void;
}

export type OpenCloudSocket = (options: CloudSocketOptions) => CloudSocket;
