import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { FormField } from '../../domain/form-field.ts';
import type { Surface } from '../../domain/plugins/plugin-list.ts';
import type { EntityAddress } from '../entity.ts';

export interface PanelsProps {
  surfaces: readonly Surface[];
  entity: EntityAddress;
  /** Panels of the side can be folded. */
  canFold?: boolean;
}

export interface PluginTabProps {
  surface: Surface;
  entity: EntityAddress;
}

export interface PluginWidgetProps {
  surface: Surface;
  acceptsOptions: boolean;
  entity: EntityAddress;
  field: FormField;
  value: unknown;
  isReadOnly: boolean;
  onChange: (value: unknown) => void;
  /** Draws label, help and error around the frame; `fault` is one more error. */
  frame: (content: ReactNode, fault: string | null) => ReactNode;
}

/** The parts of plugins within pages of other features. Each loads when it is first shown. */
export interface PluginParts {
  Panels: ComponentType<PanelsProps>;
  Tab: ComponentType<PluginTabProps>;
  Widget: ComponentType<PluginWidgetProps>;
}

const PluginPartsContext = createContext<PluginParts | null>(null);

export const PluginPartsProvider = PluginPartsContext.Provider;

/** Null where a page shows nothing of plugins. */
export const usePluginParts = (): PluginParts | null => useContext(PluginPartsContext);
