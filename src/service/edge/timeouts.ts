/** milliseconds */
export interface Timeouts {
  /** Until a process has accepted the connection. */
  connect: number;
  /** Without a byte in either direction. */
  idle: number;
}

export interface EdgeTimeouts extends Timeouts {
  /** The idle limit of accounts, where nothing takes long. */
  accountsIdle: number;
}
