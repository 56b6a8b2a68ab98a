/** The footer of every page: the version, and whether the rules are compiled. */

import type { House } from "../net/protocol";
import { t } from "../texts";

export function Foot(props: { house: House; lobby: boolean }) {
  const { house, lobby } = props;
  return (
    <small>
      {t("app.version", { version: house.version })} ·{" "}
      {t(house.compiled ? "app.compiled" : lobby ? "app.interpreted.more" : "app.interpreted")}
      {lobby && house.compiling && ` ${t("app.compiling")}`}
    </small>
  );
}
