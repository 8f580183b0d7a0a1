import { isoTime } from '../../kit/clock.ts';
import { csvReply } from '../../kit/http/csv.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { getUsage, getUsageHistory, listBillingMembers } from './usage.contract.ts';
import type { UsageService } from './usage.service.ts';

export const usageRoutes = (usage: UsageService): Route[] => [
  route(getUsage, async (request) => {
    const { tenantId, userId } = callerOf(request);
    const { view, operations } = await usage.current(tenantId, userId);
    return {
      period_start: isoTime(view.periodStartMs),
      period_end: isoTime(view.periodEndMs),
      granted: view.granted,
      spent: view.team.spent,
      reserved: view.team.reserved,
      balance: view.balance,
      unlimited: view.unlimited,
      operations: operations.map(({ key, spent, operations: count }) => ({ operation: key, spent, count })),
    };
  }),
  route(getUsageHistory, async ({ tenantId, query: { from, to, group_by = 'day', format } }) => {
    const history = await usage.history(tenantId, { from, to, groupBy: group_by });
    const rows = history.groups.map(({ key, spent, operations: count }) => ({ key, spent, count }));
    if (format === 'csv') {
      const table = rows.map(({ key, spent, count }) => ({ [group_by]: key, spent, count }));
      return csvReply(`credits-${history.from}-${history.to}`, [group_by, 'spent', 'count'], table);
    }
    return {
      from: history.from,
      to: history.to,
      time_zone: history.timeZone,
      group_by,
      spent: rows.reduce((sum, { spent }) => sum + spent, 0),
      rows,
    };
  }),
  route(listBillingMembers, async ({ tenantId }) => ({
    members: (await usage.members(tenantId)).map((member) => ({
      user_id: member.userId,
      display_name: member.displayName,
      role: member.role,
      is_active: member.isActive,
      spent: member.spent,
      reserved: member.reserved,
      quota: member.quota,
    })),
  })),
];
