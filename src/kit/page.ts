import { type TProperties, Type } from 'typebox';

/** Query parameters of every list: at most 200 rows a page (spec 1 §8). */
export const pageQuery = {
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
};

/** The members that every list's reply has besides its rows. */
export const pageReply = <Rows extends TProperties>(rows: Rows) =>
  Type.Object({ total: Type.Integer(), offset: Type.Integer(), limit: Type.Integer(), ...rows });
