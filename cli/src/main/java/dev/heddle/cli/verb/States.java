package dev.heddle.cli.verb;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import dev.heddle.cli.shell.Nearest;
import dev.heddle.job.JobState;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a job state in any case. */
final class States implements ITypeConverter<JobState> {

    @Override
    public JobState convert(String text) {
        List<String> names = Arrays.stream(JobState.values()).map(Enum::name).toList();
        String name = text.toUpperCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new TypeConversionException("'" + text + "' is no job state"
                    + Nearest.hint(name, names, "; there are " + String.join(", ", names)));
        }
        return JobState.valueOf(name);
    }
}
