package dev.heddle;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps control free of servers and databases: control → core. Within it: remote → http → control → model, and local →
 * control. Each rule was seen to fail on a class that broke it.
 */
class ControlArchitectureTest {

    private static final JavaClasses CONTROL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.heddle.control");

    @Test
    void dependsOnNoHttpServer() {
        assertThat(CONTROL.size()).isGreaterThan(40);
        noClasses()
                .should().dependOnClassesThat().resideInAnyPackage("dev.heddle.server..", "io.javalin..",
                        "org.eclipse.jetty..", "jakarta.servlet..", "com.sun.net.httpserver..", "io.micrometer..")
                .check(CONTROL);
    }

    @Test
    void dependsOnNoDatabaseAndNoLoggingBackEnd() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("dev.heddle.sql..", "dev.heddle.sqlite..",
                "dev.heddle.postgres..", "java.sql..", "ch.qos.logback..").check(CONTROL);
    }

    @Test
    void recordsArePlainData() {
        noClasses().that().resideInAPackage("dev.heddle.control.model").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.control", "dev.heddle.control.http", "dev.heddle.control.local",
                        "dev.heddle.control.remote", "dev.heddle.store..")
                .check(CONTROL);
    }

    @Test
    void localAndRemoteKnowNothingOfEachOther() {
        noClasses().that().resideInAPackage("dev.heddle.control.local").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.control.remote", "dev.heddle.control.http").check(CONTROL);
        noClasses().that().resideInAPackage("dev.heddle.control.remote").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.control.local", "dev.heddle.store..").check(CONTROL);
    }

    @Test
    void hasNoPackageCycles() {
        slices().matching("dev.heddle.(**)").should().beFreeOfCycles().check(CONTROL);
    }

    @Test
    void readsTheTimeFromAClockThatIsPassedIn() {
        noClasses().should().callMethod("java.time.Instant", "now").orShould()
                .callMethod("java.time.Clock", "systemUTC").check(CONTROL);
    }
}
