/** How long a service may take, in milliseconds. */
export interface Patience {
  /** Until a process has taken the connection. */
  connect: number;
  /** In which nothing is sent nor comes. */
  idle: number;
}

export interface EdgePatience extends Patience {
  /** The same of accounts, where nothing takes long. */
  accountsIdle: number;
}
