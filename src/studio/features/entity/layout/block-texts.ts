import { defineTexts } from '../../../kit/i18n/texts.ts';

const ownMissing = {
  'not-installed': (panel: string, plugin: string) =>
    `The panel “${panel}” belongs here, but its plugin “${plugin}” is not installed. Install it, or take the panel out of the layout.`,
  disabled: (panel: string, plugin: string) =>
    `The panel “${panel}” belongs here, but ${plugin} is disabled. An admin can enable it.`,
  waiting: (panel: string, plugin: string) =>
    `The panel “${panel}” belongs here, but ${plugin} waits for an admin to say what it may do.`,
  blocked: (panel: string, plugin: string) =>
    `The panel “${panel}” belongs here, but ${plugin} is not on the list of allowed plugins. An admin can add it.`,
  broken: (panel: string, plugin: string) =>
    `The panel “${panel}” belongs here, but the plugin.json of ${plugin} cannot be read.`,
  'no-panel': (panel: string, plugin: string) =>
    `The layout asks for the panel “${panel}”, which ${plugin} does not have. Install a version that has it, or take it out of the layout.`,
  'other-type': (panel: string, plugin: string) =>
    `The layout asks for the panel “${panel}” of ${plugin}, which is made for other types. Take it out of the layout.`,
  'no-files': (panel: string, plugin: string) =>
    `The files of the panel “${panel}” of ${plugin} are missing. Install the plugin again.`,
};

export const blockTexts = defineTexts(
  {
    toText: 'Go to the text',
    toReferences: 'Show the references',
    onceSaved: 'There is something of a plugin here once this entry is saved.',
    missing: ownMissing,
    noBlock: (name: string) =>
      `The layout asks for “${name}” here, which is not known. Take it out of the layout.`,
    unknownPlugins: 'The plugins of this world could not be loaded: the service does not answer.',
    toPlugins: 'Plugins of this world',
    toPlugin: (plugin: string) => `About ${plugin}`,
    toLayout: 'Change the layout',
  },
  {
    toText: 'Zum Text',
    toReferences: 'Bezüge zeigen',
    onceSaved: 'Hier steht etwas von einem Plugin, sobald dieser Eintrag gespeichert ist.',
    missing: {
      'not-installed': (panel, plugin) =>
        `Hierher gehört „${panel}“, aber das Plugin „${plugin}“ ist nicht installiert. Installiere es, oder nimm „${panel}“ aus der Anordnung.`,
      disabled: (panel, plugin) =>
        `Hierher gehört „${panel}“, aber ${plugin} ist ausgeschaltet. Admins können es einschalten.`,
      waiting: (panel, plugin) =>
        `Hierher gehört „${panel}“, aber Admins haben noch nicht gesagt, was ${plugin} darf.`,
      blocked: (panel, plugin) =>
        `Hierher gehört „${panel}“, aber ${plugin} steht nicht auf der Liste der erlaubten Plugins. Admins können es aufnehmen.`,
      broken: (panel, plugin) =>
        `Hierher gehört „${panel}“, aber die plugin.json von ${plugin} ist nicht lesbar.`,
      'no-panel': (panel, plugin) =>
        `Die Anordnung verlangt „${panel}“, was ${plugin} nicht hat. Installiere eine Version, die es hat, oder nimm es aus der Anordnung.`,
      'other-type': (panel, plugin) =>
        `Die Anordnung verlangt „${panel}“ von ${plugin}, was für andere Typen gemacht ist. Nimm es aus der Anordnung.`,
      'no-files': (panel, plugin) =>
        `Die Dateien für „${panel}“ von ${plugin} fehlen. Installiere das Plugin noch einmal.`,
    },
    noBlock: (name) =>
      `Die Anordnung verlangt hier „${name}“, was nicht bekannt ist. Nimm es aus der Anordnung.`,
    unknownPlugins: 'Die Plugins dieser Welt ließen sich nicht laden: Der Dienst antwortet nicht.',
    toPlugins: 'Plugins dieser Welt',
    toPlugin: (plugin) => `Über ${plugin}`,
    toLayout: 'Anordnung ändern',
  },
);
