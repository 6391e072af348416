import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Roster, type RosterMember } from '../../src/core/roster.js';

function member(): RosterMember {
  return { rosterIndex: -1 };
}

describe('Roster', () => {
  it('behaves as a set', () => {
    const operation = fc.record({ add: fc.boolean(), nth: fc.nat({ max: 9 }) });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const members = Array.from({ length: 10 }, member);
        const roster = new Roster();
        const model = new Set<RosterMember>();
        for (const { add, nth } of operations) {
          const each = members[nth] as RosterMember;
          if (add) {
            roster.add(each);
            model.add(each);
          } else {
            expect(roster.delete(each)).toBe(model.delete(each));
          }
          expect(roster.size).toBe(model.size);
          expect(members.map((one) => roster.has(one))).toEqual(
            members.map((one) => model.has(one)),
          );
          expect(members.map((one) => roster.some((other) => other === one))).toEqual(
            members.map((one) => model.has(one)),
          );
        }
      }),
    );
  });

  it('does not take a member of another roster for its own', () => {
    const [one, other] = [new Roster(), new Roster()];
    const mine = member();
    const theirs = member();
    one.add(mine);
    other.add(theirs);
    expect(one.has(theirs)).toBe(false);
    expect(one.delete(theirs)).toBe(false);
    expect(other.size).toBe(1);
  });
});
