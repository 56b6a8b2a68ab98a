/** Components that are loaded on first use. */

import type { ComponentType } from "preact";
import { fetchCode, useLoad } from "./load";
import { Failure, Loading } from "./widgets";

/** Return a component for *load*; a quiet one shows nothing while loading. */
export function lazily<P>(load: () => Promise<ComponentType<P>>, quiet = false) {
  return function Lazy(props: P & { key?: string }) {
    const { value: Page, failure } = useLoad(() => fetchCode(load), []);
    if (Page) return <Page {...props} />;
    if (failure) return <Failure error={failure} onRetry={() => location.reload()} />;
    return quiet ? null : <Loading />;
  };
}
