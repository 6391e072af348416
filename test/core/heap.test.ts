import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap, type HeapMember } from '../../src/core/heap.js';

class Member implements HeapMember {
  heapIndex = -1;
  rank: number;
  constructor(rank: number) {
    this.rank = rank;
  }
}

const byRank = (a: Member, b: Member): number => a.rank - b.rank;

function drain(heap: Heap<Member>): number[] {
  const ranks: number[] = [];
  for (let member = heap.pop(); member; member = heap.pop()) ranks.push(member.rank);
  return ranks;
}

describe('Heap', () => {
  it('gives its members back in order, whatever is moved or removed meanwhile', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 60 }),
        fc.array(fc.tuple(fc.nat(), fc.option(fc.integer())), { maxLength: 60 }),
        (ranks, changes) => {
          const heap = new Heap<Member>(byRank);
          const members = ranks.map((rank) => new Member(rank));
          members.forEach((member) => heap.push(member));
          for (const [nth, rank] of changes) {
            const member = members[nth % (members.length || 1)];
            if (!member) continue;
            if (rank === null) {
              heap.remove(member);
              members.splice(members.indexOf(member), 1);
              expect(member.heapIndex).toBe(-1);
            } else {
              member.rank = rank;
              heap.update(member);
            }
          }
          expect(heap.size).toBe(members.length);
          expect(drain(heap)).toEqual(members.map(({ rank }) => rank).sort((a, b) => a - b));
        },
      ),
    );
  });

  it('can be cleared and used again', () => {
    const heap = new Heap<Member>(byRank);
    [3, 1, 2].forEach((rank) => heap.push(new Member(rank)));
    const cleared = heap.clear();
    expect(cleared.map(({ heapIndex }) => heapIndex)).toEqual([-1, -1, -1]);
    cleared.forEach((member) => heap.push(member));
    expect(drain(heap)).toEqual([1, 2, 3]);
    expect(heap.peek()).toBeUndefined();
  });
});
