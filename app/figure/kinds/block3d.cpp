#include "app/drawing/block3d.h"

#include "app/figure/kinds/kind.h"

namespace warplens::figure {

void drawBlock3d(Canvas& canvas, const Subject& subject, const Box& room) {
    const drawing::Block3dLook look{
        .wasted = wastedMask(blockGuard(subject.view.experiment), subject.view.block),
        .held = subject.view.warp,
        .smallestDigits = size::smallest};
    canvas.add(drawing::prepareBlock3d(subject.view.experiment.launch.block, {}, look,
                                       {room, canvas.colors(), canvas.textWidth(), size::name})
                   .items,
               room);
}

}  // namespace warplens::figure
