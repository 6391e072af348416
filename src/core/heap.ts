// Own code: the frontier needs a heap whose members know their place, so that a host can be
// moved when its best request changes. heap-js and tinyqueue have no such update; a plain
// re-insert costs a second entry per change.

/** What a member of a {@link Heap} carries: its index in the heap, -1 while outside. */
export interface HeapMember {
  heapIndex: number;
}

/** A binary heap: the member that compares lowest comes out first. All operations O(log n). */
export class Heap<M extends HeapMember> {
  readonly #members: M[] = [];
  readonly #compare: (a: M, b: M) => number;

  constructor(compare: (a: M, b: M) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#members.length;
  }

  peek(): M | undefined {
    return this.#members[0];
  }

  /** Some member that fits. O(n). */
  find(fits: (member: M) => boolean): M | undefined {
    return this.#members.find(fits);
  }

  push(member: M): void {
    member.heapIndex = this.#members.length;
    this.#members.push(member);
    this.#up(member);
  }

  pop(): M | undefined {
    const top = this.#members[0];
    if (top) this.remove(top);
    return top;
  }

  remove(member: M): void {
    const index = member.heapIndex;
    const last = this.#members.pop();
    member.heapIndex = -1;
    if (last === undefined || last === member) return;
    this.#place(last, index);
    this.update(last);
  }

  /** Puts a member where it belongs after its rank has changed. */
  update(member: M): void {
    this.#up(member);
    this.#down(member);
  }

  /** Removes and returns all members, in no particular order. */
  clear(): M[] {
    const members = this.#members.splice(0);
    for (const member of members) member.heapIndex = -1;
    return members;
  }

  #place(member: M, index: number): void {
    this.#members[index] = member;
    member.heapIndex = index;
  }

  #up(member: M): void {
    let index = member.heapIndex;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#members[parentIndex] as M;
      if (this.#compare(member, parent) >= 0) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(member, index);
  }

  #down(member: M): void {
    const size = this.#members.length;
    let index = member.heapIndex;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= size) break;
      let child = this.#members[childIndex] as M;
      const right = this.#members[childIndex + 1];
      if (right !== undefined && this.#compare(right, child) < 0) {
        child = right;
        childIndex += 1;
      }
      if (this.#compare(member, child) <= 0) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(member, index);
  }
}
