package dev.heddle.batch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A batch as it will run: all of it read and checked, nothing of it started.
 *
 * @param template what each unit is asked
 * @param units each once, in the order of their list
 * @param repeated how many payloads of the list were there before, and are left out
 */
public record BatchPlan(String name, PromptTemplate template, List<Unit> units, int repeated) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public BatchPlan {
        units = List.copyOf(units);
    }

    /**
     * Reads the units, and fills the template in for each of them.
     *
     * @throws BatchException for the first thing that is wrong
     */
    public static BatchPlan of(String name, PromptTemplate template, Source source) {
        if (!NAME.matcher(name).matches()) {
            throw new BatchException(
                    "'" + name + "' cannot be the name of a batch; use letters, digits, '.', '_' and '-', "
                            + "100 at most");
        }
        List<Unit> all = Units.read(source);
        Map<String, Unit> byId = new LinkedHashMap<>();
        all.forEach(unit -> byId.putIfAbsent(unit.id(), unit));
        byId.values().forEach(template::fill);
        return new BatchPlan(name, template, new ArrayList<>(byId.values()), all.size() - byId.size());
    }

    /** What the batch is known by: the same name with another template is another batch. */
    public String id() {
        return name + "-" + Digest.of(template.text()).substring(0, 12);
    }

    /** What a unit is known by among all jobs. */
    public String dedupeKey(Unit unit) {
        return "batch/" + id() + "/" + unit.id();
    }
}
