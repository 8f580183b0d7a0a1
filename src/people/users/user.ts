import type { Role } from '../../access/plans.ts';

/** An account without its password. Times are ISO 8601. */
export interface User {
  userId: string;
  tenantId: string;
  email: string;
  displayName: string;
  role: Role;
  tenantRole: Role;
  avatarUrl: string | null;
  emailVerified: boolean;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
  /** A session with another epoch has ended. */
  sessionEpoch: number;
}
