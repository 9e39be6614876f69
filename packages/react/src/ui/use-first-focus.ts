import { type RefObject, useEffect, useRef } from 'react';

/** A field that takes the focus when it is first drawn, where `isFirst`. On a phone that would open the keyboard over what is below it. */
export function useFirstFocus(isFirst = true): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst && matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [isFirst]);
  return field;
}
