export { type BetaContext, betaModule } from './beta.module.ts';
