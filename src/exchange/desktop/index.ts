export type { CloudAccounts } from './cloud-accounts.ts';
export type { OpenCloudSocket } from './cloud-socket.ts';
export { desktopModule } from './desktop.module.ts';
export type { ReconnectTiming } from './listening.service.ts';
export { createProjectRegistry, type ProjectRegistry } from './project-registry.ts';
