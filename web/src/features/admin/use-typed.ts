// A text field whose value lives in the address: letters appear at once, the address follows when the typing rests.
import { useEffect, useEffectEvent, useState } from 'react';

const REST_MS = 300;

export function useTyped(inAddress: string, onRest: (text: string) => void) {
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  // Back, forward or Reset changed the address: the field follows.
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (text.trim() !== inAddress) setText(inAddress);
  }
  const rest = useEffectEvent(onRest);
  useEffect(() => {
    if (text.trim() === inAddress) return;
    const timer = setTimeout(() => rest(text.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [text, inAddress]);
  return { value: text, onChange: (event: { target: { value: string } }) => setText(event.target.value) };
}
