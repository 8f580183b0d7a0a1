import { forEachDatabase } from '../../../../test/support/databases.ts';
import { databaseConformance } from '../database.conformance.ts';

forEachDatabase((_name, open) => databaseConformance(open));
