import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.core.AttributeSplitSuggestion;
import moa.classifiers.core.splitcriteria.SplitCriterion;
import moa.classifiers.trees.HoeffdingOptionTree;
import moa.classifiers.trees.HoeffdingTree;
import moa.core.Utils;

/**
 * Lets MOA's Hoeffding tree predict and then learn each example of a file, float64 in little-endian order, the
 * class last. Arguments: the file; one for the classes; the numbers of values of the columns and of classes, 0
 * for a numeric column, separated by commas; which tree, "tree", "option tree" or "corrected option tree"; its
 * options. Prints the number of leaves, and the CPU seconds of the first and of the second half.
 */
public class Hoeffding {
    /**
     * The option tree as its authors describe it: an adaptive leaf votes with probabilities that add up to 1, and a
     * node does not test an attribute twice. MOA adds up class weights of one leaf and unscaled products of another,
     * and forgets which attributes were tested unless leaves predict their majority.
     */
    static class CorrectedOptionTree extends HoeffdingOptionTree {
        static class Leaf extends LearningNodeNBAdaptive {
            final Set<Integer> tested = new HashSet<>();

            Leaf(double[] weights) {
                super(weights);
            }

            @Override
            public void disableAttribute(int attribute) {
                tested.add(attribute);
            }

            @Override
            public AttributeSplitSuggestion[] getBestSplitSuggestions(
                    SplitCriterion criterion, HoeffdingOptionTree tree) {
                return Arrays.stream(super.getBestSplitSuggestions(criterion, tree))
                        .filter(s -> s.splitTest == null || !tested.contains(s.splitTest.getAttsTestDependsOn()[0]))
                        .toArray(AttributeSplitSuggestion[]::new);
            }

            @Override
            public double[] getClassVotes(Instance example, HoeffdingOptionTree tree) {
                var votes = super.getClassVotes(example, tree);
                double total = Utils.sum(votes);
                if (total > 0.0) {
                    Utils.normalize(votes, total);
                }
                return votes;
            }
        }

        @Override
        protected LearningNode newLearningNode(double[] weights) {
            return new Leaf(weights);
        }
    }

    static AbstractClassifier treeOf(String kind) {
        return switch (kind) {
            case "option tree" -> new HoeffdingOptionTree();
            case "corrected option tree" -> new CorrectedOptionTree();
            default -> new HoeffdingTree();
        };
    }

    public static void main(String[] arguments) throws Exception {
        var sizes = arguments[2].split(",");
        var attributes = new ArrayList<Attribute>();
        for (var size : sizes) {
            var values = IntStream.range(0, Integer.parseInt(size)).mapToObj(String::valueOf).toList();
            var name = "a" + attributes.size();
            attributes.add(values.isEmpty() ? new Attribute(name) : new Attribute(name, values));
        }
        var header = new InstancesHeader(new Instances("stream", attributes, 0));
        header.setClassIndex(sizes.length - 1);
        var tree = treeOf(arguments[3]);
        tree.getOptions().setViaCLIString(arguments[4]);
        tree.setModelContext(header);
        tree.prepareForUse();

        ByteBuffer bytes;
        try (var file = FileChannel.open(Path.of(arguments[0]))) {
            bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()).order(ByteOrder.LITTLE_ENDIAN);
        }
        var numbers = bytes.asDoubleBuffer();
        int n = numbers.remaining() / sizes.length;
        var predicted = new byte[n];
        var seconds = new double[3];
        for (int i = 0; i < n; i++) {
            if (i == 0 || i == n / 2) {
                seconds[i == 0 ? 0 : 1] = cpuSeconds();
            }
            var values = new double[sizes.length];
            numbers.get(values);
            var example = new DenseInstance(1.0, values);
            example.setDataset(header);
            predicted[i] = (byte) Utils.maxIndex(tree.getVotesForInstance(example));
            tree.trainOnInstance(example);
        }
        seconds[2] = cpuSeconds();
        Files.write(Path.of(arguments[1]), predicted);
        long leaves = 0;
        for (var measurement : tree.getModelMeasurements()) {
            if (measurement.getName().equals("tree size (leaves)")) {
                leaves = (long) measurement.getValue();
            }
        }
        System.out.println(leaves + " " + (seconds[1] - seconds[0]) + " " + (seconds[2] - seconds[1]));
    }

    static double cpuSeconds() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }
}
