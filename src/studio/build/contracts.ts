import { listEvents } from '../../exchange/realtime/events.contract.ts';
import { listEditing, listPresence } from '../../exchange/realtime/presence.contract.ts';
import { makeSocketTicket } from '../../exchange/realtime/socket.contract.ts';
import { registerWithInvite } from '../../people/accounts/members.contract.ts';
import { forgotPassword } from '../../people/accounts/recovery.contract.ts';
import { authContracts } from '../../people/auth/auth.contract.ts';
import { resetForgottenPassword } from '../../people/auth/password-resets.contract.ts';
import { webLogin, webLogout, webRegister } from '../../people/auth/web.contract.ts';
import { acceptInvite } from '../../people/invites/invites.contract.ts';
import { listPeople } from '../../people/users/people.contract.ts';
import { getPreferences, updatePreferences } from '../../people/users/preferences.contract.ts';
import { getStudioConfig } from '../../service/studio/studio.contract.ts';
import { listActivity } from '../../world/activity/activity.contract.ts';
import { listLinkedAssets } from '../../world/assets/assets.contract.ts';
import { uploadEntityFile } from '../../world/assets/upload.contract.ts';
import {
  acceptCanonFinding,
  canonFindings,
  checkCanonRoute,
  reopenCanonFinding,
} from '../../world/canon/canon.contract.ts';
import { getOperation, undoOperation } from '../../world/changesets/changesets.contract.ts';
import { renameEntity } from '../../world/changesets/rename.contract.ts';
import { listConflicts, resolveConflict } from '../../world/conflicts/conflicts.contract.ts';
import { starterPacks } from '../../world/definitions/activation/activation.contract.ts';
import {
  deleteLayout,
  getLayout,
  listWidgets,
  updateLayout,
} from '../../world/definitions/layouts/layouts.contract.ts';
import { getSchema } from '../../world/definitions/templates/schemas.contract.ts';
import { addShippedTemplates } from '../../world/definitions/templates/shipped-templates.contract.ts';
import { listEntityTypes } from '../../world/definitions/templates/templates.contract.ts';
import {
  createEntity,
  deleteEntity,
  getEntity,
  listEntities,
  updateEntity,
} from '../../world/entities/entities.contract.ts';
import {
  emptyRecycleBin,
  listRecycleBin,
  purgeRecycleItem,
  restoreRecycleItem,
} from '../../world/entities/recycle.contract.ts';
import {
  diffRevision,
  getRevision,
  listRevisions,
  restoreRevision,
} from '../../world/entities/revisions.contract.ts';
import { generate, refineProposal } from '../../world/generation/generation.contract.ts';
import { importArchive, importReport } from '../../world/imports/imports.contract.ts';
import { syncStatus } from '../../world/mirror/sync.contract.ts';
import { getAiStatus } from '../../world/models/models.contract.ts';
import { listNames } from '../../world/names/names.contract.ts';
import { getCatalog, installFromCatalog } from '../../world/plugins/catalog/catalog.contract.ts';
import {
  createPluginRecord,
  deletePluginRecord,
  getPluginRecord,
  listPluginRecords,
  putPluginRecord,
} from '../../world/plugins/data.contract.ts';
import { getPluginLog, listPluginFindings } from '../../world/plugins/guest/guest.contract.ts';
import {
  deletePlugin,
  disablePlugin,
  enablePlugin,
  getPluginPolicy,
  grantToPlugin,
  listPlugins,
  setPluginPolicy,
  uploadPlugin,
} from '../../world/plugins/plugins.contract.ts';
import {
  getPluginSettings,
  getPluginUserSettings,
  setPluginSettings,
  setPluginUserSettings,
} from '../../world/plugins/settings.contract.ts';
import { getPluginUsage } from '../../world/plugins/usage.contract.ts';
import { createProject, listProjects, renameProject } from '../../world/projects/projects.contract.ts';
import {
  acceptProposal,
  getProposal,
  listProposals,
  rejectProposal,
  undoProposal,
} from '../../world/proposals/proposals.contract.ts';
import { getProvenance } from '../../world/proposals/provenance/provenance.contract.ts';
import { getAiSettings } from '../../world/proposals/settings/ai-settings.contract.ts';
import {
  getGraph,
  listBrokenReferences,
  listReferences,
} from '../../world/references/references.contract.ts';
import { searchAll } from '../../world/search/search.contract.ts';
import { fixValidation } from '../../world/validation/fix.contract.ts';
import { validateAll, validateType, validationStatus } from '../../world/validation/validation.contract.ts';

const { me } = authContracts;

/** The routes that pages call. The bundle has their addresses alone; their types come by `import type`. */
export const contracts = {
  acceptCanonFinding,
  acceptInvite,
  acceptProposal,
  addShippedTemplates,
  canonFindings,
  checkCanon: checkCanonRoute,
  createEntity,
  createProject,
  deleteEntity,
  deleteLayout,
  diffRevision,
  emptyRecycleBin,
  fixValidation,
  forgotPassword,
  generate,
  getAiSettings,
  getAiStatus,
  getEntity,
  getGraph,
  getLayout,
  getOperation,
  getPreferences,
  getProposal,
  getProvenance,
  getRevision,
  getSchema,
  getStudioConfig,
  importArchive,
  importReport,
  listActivity,
  listBrokenReferences,
  listConflicts,
  listEditing,
  listEntities,
  listEntityTypes,
  listEvents,
  listLinkedAssets,
  listNames,
  listPeople,
  listPlugins,
  listPluginFindings,
  listPresence,
  listProjects,
  listProposals,
  listRecycleBin,
  listReferences,
  listRevisions,
  listWidgets,
  makeSocketTicket,
  me,
  purgeRecycleItem,
  refineProposal,
  registerWithInvite,
  rejectProposal,
  renameEntity,
  renameProject,
  reopenCanonFinding,
  resetForgottenPassword,
  resolveConflict,
  restoreRecycleItem,
  restoreRevision,
  searchAll,
  starterPacks,
  syncStatus,
  undoOperation,
  undoProposal,
  updateEntity,
  updateLayout,
  updatePreferences,
  uploadEntityFile,
  validateAll,
  validateRules: validateType,
  validationStatus,
  webLogin,
  webLogout,
  webRegister,
};

/** Those of the parts that plugins have in pages, and of the pages on which they are managed: most users never need them. */
export const pluginContracts = {
  createPluginRecord,
  deletePlugin,
  deletePluginRecord,
  disablePlugin,
  enablePlugin,
  getCatalog,
  getPluginLog,
  getPluginPolicy,
  getPluginRecord,
  getPluginSettings,
  getPluginUsage,
  getPluginUserSettings,
  grantToPlugin,
  installFromCatalog,
  listPluginRecords,
  putPluginRecord,
  setPluginPolicy,
  setPluginSettings,
  setPluginUserSettings,
  uploadPlugin,
};
