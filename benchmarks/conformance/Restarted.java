import com.yahoo.labs.samoa.instances.Instance;
import moa.classifiers.core.driftdetection.ADWIN;
import moa.classifiers.meta.OzaBoostAdwin;
import moa.core.MiscUtils;

/** ADWIN boosting whose members, when they begin anew, also forget how many examples there were. */
public class Restarted extends OzaBoostAdwin {
    public boolean forgets = true; // if not, it is the class that it extends, bit for bit
    private double[] seen;

    @Override
    public void resetLearningImpl() {
        super.resetLearningImpl();
        seen = new double[ensemble.length];
    }

    @Override
    public void trainOnInstanceImpl(Instance example) {
        double lambda = 1;
        boolean isWorse = false;
        for (int i = 0; i < ensemble.length; i++) {
            Instance copy = example.copy();
            double k = MiscUtils.poisson(lambda, classifierRandom);
            if (k > 0) {
                copy.setWeight(k * example.weight());
                ensemble[i].trainOnInstance(copy);
            }
            boolean isRight = ensemble[i].correctlyClassifies(copy);
            double[] sums = isRight ? scms : swms;
            seen[i] += example.weight();
            sums[i] += lambda;
            lambda *= seen[i] / (2 * sums[i]);
            double before = ADError[i].getEstimation();
            isWorse |= ADError[i].setInput(isRight ? 0 : 1) && ADError[i].getEstimation() > before;
        }
        if (isWorse) {
            int worst = 0;
            for (int i = 1; i < ensemble.length; i++) {
                worst = ADError[i].getEstimation() > ADError[worst].getEstimation() ? i : worst;
            }
            ensemble[worst].resetLearning();
            ADError[worst] = new ADWIN(deltaAdwinOption.getValue());
            scms[worst] = swms[worst] = 0;
            seen[worst] = forgets ? 0 : seen[worst];
        }
    }
}
