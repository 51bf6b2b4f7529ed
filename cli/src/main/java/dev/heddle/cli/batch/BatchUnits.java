package dev.heddle.cli.batch;

import java.util.ArrayList;
import java.util.List;

import dev.heddle.control.Control;
import dev.heddle.control.model.UnitPage;
import dev.heddle.control.model.UnitView;

/** Reads the units of a batch, page by page. */
public final class BatchUnits {

    private BatchUnits() {}

    /** Returns all units of the batch with this job id, in their order. */
    public static List<UnitView> all(Control control, String id) {
        List<UnitView> units = new ArrayList<>();
        UnitPage page = control.units(id, null, Control.MOST_LISTED);
        units.addAll(page.units());
        while (page.next() != null) {
            page = control.units(id, page.next(), Control.MOST_LISTED);
            units.addAll(page.units());
        }
        return units;
    }
}
