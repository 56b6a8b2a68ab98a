/** What the server promised before each deal, and whether it kept it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Verdict, verdict } from "../net/commitment";
import type { Commitment } from "../net/protocol";
import { Icon } from "../shell/icons";
import { t } from "../texts";

function DealProof(props: { commitment: Commitment }) {
  const { deal, digest, seed } = props.commitment;
  const result = useSignal<Verdict>("sealed");
  useEffect(() => {
    let current = true;
    void verdict(digest, seed).then((found) => {
      if (current) result.value = found;
    });
    return () => {
      current = false;
    };
  }, [digest, seed]);
  return (
    <li class={`proof ${result.value}`} data-verdict={result.value}>
      <strong>{t("fair.deal", { n: deal })}</strong>
      <span class="verdict">
        {result.value === "kept" && <Icon name="check" />}
        {t(`fair.${result.value}`)}
      </span>
      <dl>
        <dt>{t("fair.digest")}</dt>
        <dd>
          <code>{digest || "–"}</code>
        </dd>
        {seed && (
          <>
            <dt>{t("fair.seed")}</dt>
            <dd>
              <code>{seed}</code>
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}

export function Fairness(props: { commitments: Commitment[]; seeded?: boolean }) {
  return (
    <details class="fairness">
      <summary>
        <Icon name="seal" />
        {t("fair.title")}
      </summary>
      <p>{t("fair.more")}</p>
      {props.seeded && <p>{t("table.reproducible")}</p>}
      {props.commitments.length ? (
        <ol>
          {props.commitments.map((commitment) => (
            <DealProof key={commitment.deal} commitment={commitment} />
          ))}
        </ol>
      ) : (
        <p>{t("fair.none")}</p>
      )}
      <p>
        <small>{t("fair.command")}</small>
      </p>
    </details>
  );
}
