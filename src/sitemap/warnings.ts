/** Collects warnings: of many with one code the first is kept, and their number. */
export class Warnings<C extends string> {
  readonly #byCode = new Map<C, { readonly message: string; count: number }>();

  add(code: C, message: string): void {
    const known = this.#byCode.get(code);
    if (known) known.count += 1;
    else this.#byCode.set(code, { message, count: 1 });
  }

  list(): { readonly code: C; readonly message: string; readonly count: number }[] {
    return Array.from(this.#byCode, ([code, rest]) => ({ code, ...rest }));
  }
}
