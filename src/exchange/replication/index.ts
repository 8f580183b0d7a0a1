export { formerText } from './former-text.ts';
export { contentPath, entityPath, isOwnPlace } from './pushed-path.ts';
export { replicationModule } from './replication.module.ts';
