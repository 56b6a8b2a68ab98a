/** Dragging by mouse, touch or pen: a picture follows the pointer and can be dropped on a target.
 *
 * A target has the attribute `data-drop="name"`. A movement of a few pixels is a click and is ignored here.
 */

const SLACK = 8;

function zoneAt(x: number, y: number): HTMLElement | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop]") ?? null;
}

function lift(from: HTMLElement): HTMLElement {
  const box = from.getBoundingClientRect();
  const picture = from.cloneNode(true) as HTMLElement;
  picture.removeAttribute("data-testid");
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("dragged");
  Object.assign(picture.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
  document.body.append(picture);
  return picture;
}

/** Start with a pointer press on an element; *onDrop* gets the name of the target.
 *
 * If picking up is a separate step, `onLift` is called when the picture starts to move, and `onMiss` when it is
  * dropped on no target.
 */
export function drag(
  down: PointerEvent,
  onDrop: (zone: string) => void,
  steps: { onLift?: () => void; onMiss?: () => void } = {},
): void {
  if (down.button !== 0 || !down.isPrimary) return;
  const from = down.currentTarget as HTMLElement;
  let picture: HTMLElement | null = null;
  let over: HTMLElement | null = null;

  const point = (zone: HTMLElement | null) => {
    over?.classList.remove("drop-here");
    over = zone;
    over?.classList.add("drop-here");
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!picture && Math.hypot(x, y) < SLACK) return;
    if (!picture) {
      picture = lift(from);
      steps.onLift?.();
    }
    from.classList.add("lifted");
    picture.style.translate = `${x}px ${y}px`;
    point(zoneAt(event.clientX, event.clientY));
  };
  const finish = (dropped: boolean) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape);
    if (!picture) return;
    picture.remove();
    from.classList.remove("lifted");
    const zone = over?.dataset.drop;
    point(null);
    if (!dropped || !zone) steps.onMiss?.();
    if (!dropped) return;
    // The press ends as a click on the element where it began: suppress it.
    const swallow = (click: Event) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (zone) onDrop(zone);
  };
  const up = (event: PointerEvent) => event.pointerId === down.pointerId && finish(true);
  const cancel = (event: PointerEvent) => event.pointerId === down.pointerId && finish(false);
  const escape = (key: KeyboardEvent) => key.key === "Escape" && finish(false);

  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape);
}
