declare const brand: unique symbol;

/** A `T` that only the parser which vouches for it can make. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
