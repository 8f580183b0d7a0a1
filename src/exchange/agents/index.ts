export { agentsModule } from './agents.module.ts';
