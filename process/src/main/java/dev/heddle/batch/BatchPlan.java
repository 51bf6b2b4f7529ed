package dev.heddle.batch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A batch that has been read and checked completely, and of which nothing has started.
 *
 * @param name the name of the batch
 * @param template the prompt of each unit
 * @param units the units without repetitions, in the order of their list
 * @param repeated how many payloads of the list were left out because they repeat an earlier one
 */
public record BatchPlan(String name, PromptTemplate template, List<Unit> units, int repeated) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final int TEMPLATE_HASH_LENGTH = 12;

    /** Copies the units. */
    public BatchPlan {
        units = List.copyOf(units);
    }

    /**
     * Reads the units and checks that the template can be filled in for each of them.
     *
     * @throws BatchException for the first problem found
     */
    public static BatchPlan of(String name, PromptTemplate template, UnitSource source) {
        if (!NAME.matcher(name).matches()) {
            throw new BatchException(
                    "'" + name + "' is not a valid batch name; use up to 100 letters, digits, '.', '_' and '-',"
                            + " starting with a letter or digit");
        }
        List<Unit> all = UnitReader.read(source);
        Map<String, Unit> byId = new LinkedHashMap<>();
        all.forEach(unit -> byId.putIfAbsent(unit.id(), unit));
        byId.values().forEach(template::fill);
        return new BatchPlan(name, template, new ArrayList<>(byId.values()), all.size() - byId.size());
    }

    /** Returns the id of the batch. The same name with another template is another batch. */
    public String id() {
        return name + "-" + ContentHash.of(template.text()).substring(0, TEMPLATE_HASH_LENGTH);
    }

    /** Returns the dedupe key of a unit's job. */
    public String dedupeKey(Unit unit) {
        return "batch/" + id() + "/" + unit.id();
    }
}
